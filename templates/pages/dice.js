// Throws all dice of a match again, from its published seed, as docs/dice.md says; each throw is
// marked as the same or as another one. What drand gave for a phase is checked with drand's public key, by `curves`.
"use strict";
(async () => {
  const { match, seed, commitment, phases, drand } = JSON.parse(document.getElementById("dice").textContent);
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const bytes = unhex(seed), said = document.getElementById("said");
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

  /** Did drand sign this round, and is what was drawn the SHA-256 of the signature? */
  async function signed({ message, signature }, drawn) {
    if (hex(await crypto.subtle.digest("SHA-256", unhex(signature))) !== drawn) return false;
    const scheme = curves.bls12_381.shortSignatures;
    try {
      return scheme.verify(unhex(signature), scheme.hash(unhex(message), drand.domain), unhex(drand.key));
    } catch {
      return false; // no point of the curve
    }
  }

  function mark(cell, same) {
    cell.textContent = cell.dataset[same ? "same" : "other"];
    cell.className = same ? "same" : "other";
  }

  let good = 0, bad = 0, forged = 0;
  for (const [at, phase] of phases.entries()) {
    const thrown = new Map();
    for (const [index, lot] of phase.lots.entries()) {
      const cell = document.getElementById(`lot-${at}-${index}`);
      if (lot.hand) continue;
      const same = plain(await again(phase, lot, thrown)) === plain(lot.face ?? lot.order);
      mark(cell, same);
      if (same) good += 1;
      else bad += 1;
    }
  }
  for (const [at, { round, drawn }] of phases.entries()) {
    if (!round) continue;
    said.textContent = said.dataset.busy;
    await new Promise(requestAnimationFrame); // a signature takes a fifth of a second, and longer on a phone
    const right = await signed(round, drawn);
    mark(document.getElementById(`round-${at}`), right);
    forged += !right;
  }
  const kind = !committed ? "seed" : bad ? "bad" : forged ? "signature" : "good";
  said.textContent = said.dataset[kind].replace("{good}", good).replace("{bad}", bad).replace("{forged}", forged);
  said.className = kind === "good" ? "notice" : "notice other";
})();
