// Unpacks the scripts before this one, which are kept short, and runs them: those in a fold when it is opened.
(() => {
  const packed = document.currentScript.previousElementSibling, fold = packed.closest("details");
  const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
  const values = Object.fromEntries([...SIGNS].map((sign, value) => [sign, value]));

  /** The bytes that are written in base 85: five signs for four bytes, fewer at the end. */
  function bytesOf(text) {
    const groups = new DataView(new ArrayBuffer(4 * Math.ceil(text.length / 5)));
    for (let at = 0; at < text.length; at += 5) {
      const signs = text.slice(at, at + 5).padEnd(5, "~");
      groups.setUint32((at / 5) * 4, [...signs].reduce((sum, sign) => sum * 85 + values[sign], 0));
    }
    return groups.buffer.slice(0, Math.floor((text.length * 4) / 5));
  }

  const unpack = async () => {
    const stream = new Blob([bytesOf(packed.textContent)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const script = document.createElement("script");
    script.textContent = await new Response(stream).text();
    packed.remove();
    document.body.append(script);
    script.remove();
  };
  if (fold) fold.addEventListener("toggle", unpack, { once: true });
  else unpack();
})();
