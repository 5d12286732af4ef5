// Unpacks the page's scripts, which are kept short, and runs them.
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("packed").textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.getElementById("packed").remove();
  document.body.append(script);
  script.remove();
})();
