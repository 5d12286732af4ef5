// Unpacks the scripts before this one, which are kept short, and runs them: those in a fold when it is opened.
(() => {
  const packed = document.currentScript.previousElementSibling, fold = packed.closest("details");
  const unpack = async () => {
    const bytes = Uint8Array.from(atob(packed.textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    packed.remove();
    document.body.append(script);
    script.remove();
  };
  if (fold) fold.addEventListener("toggle", unpack, { once: true });
  else unpack();
})();
