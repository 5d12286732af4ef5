// Throws all dice of a match again, from its published seed, as docs/dice.md says; each throw that comes out the same is
// marked, and so is each that doesn't.
"use strict";
(async () => {
  const { match, seed, commitment, phases } = JSON.parse(document.getElementById("dice").textContent);
  const bytes = Uint8Array.from(seed.match(/../g), (pair) => parseInt(pair, 16)), said = document.getElementById("said");
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!globalThis.crypto?.subtle) return;
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const committed = hex(await crypto.subtle.digest("SHA-256", bytes)) === commitment;

  /** JSON with everything beyond ASCII as an escape. */
  const plain = (value) => JSON.stringify(value).replace(/[^\x00-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

  /** A number below `bound`; `thrown` counts the throws for each purpose in the phase. */
  async function below(bound, { number, salts, drawn }, what, thrown) {
    for (;;) {
      const name = plain(what), count = thrown.get(name) ?? 0;
      thrown.set(name, count + 1);
      const text = plain([match, number, salts, ...(drawn ? [drawn] : []), what, count]);
      const found = new DataView(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))).getBigUint64(0);
      const all = 2n ** 64n;
      if (found < all - (all % BigInt(bound))) return Number(found % BigInt(bound));
    }
  }

  async function again(phase, { what, among, face }, thrown) {
    if (face !== undefined) return among[await below(among.length, phase, what, thrown)];
    const left = [...among], order = [];
    while (left.length) order.push(...left.splice(await below(left.length, phase, what, thrown), 1));
    return order;
  }

  let good = 0, bad = 0;
  for (const [at, phase] of phases.entries()) {
    const thrown = new Map();
    for (const [index, lot] of phase.lots.entries()) {
      const cell = document.getElementById(`lot-${at}-${index}`);
      if (lot.hand) continue;
      const same = plain(await again(phase, lot, thrown)) === plain(lot.face ?? lot.order);
      cell.textContent = cell.dataset[same ? "same" : "other"];
      cell.className = same ? "same" : "other";
      if (same) good += 1;
      else bad += 1;
    }
  }
  const kind = !committed ? "seed" : bad ? "bad" : "good";
  said.textContent = said.dataset[kind].replace("{good}", good).replace("{bad}", bad);
  said.className = kind === "good" ? "notice" : "notice other";
})();
