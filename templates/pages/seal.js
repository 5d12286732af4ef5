// Seals a text with age (age-encryption.org/v1), so that only the holders of some keys can read it. The browser's own
// cryptography has everything but the cipher, ChaCha20-Poly1305, which is `noble`.
const { sealed, labelled, canSeal } = (() => {
  const LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"; // of bech32, in which age writes keys
  const CHECK = 6; // letters at the end of a key: its checksum
  const CHUNK = 65536;
  const STEP = 4096;
  const bytes = (text) => new TextEncoder().encode(text);
  const random = (length) => crypto.getRandomValues(new Uint8Array(length));

  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
    return whole;
  }

  function base64(data) {
    let text = "";
    for (const byte of data) text += String.fromCharCode(byte);
    return btoa(text);
  }

  const unpadded = (data) => base64(data).replace(/=+$/, "");

  // The 32 bytes of a public key, `age1...`.
  function keyIn(recipient) {
    const found = [];
    let held = 0;
    let bits = 0;
    for (const letter of recipient.slice("age1".length, -CHECK)) {
      held = ((held << 5) | LETTERS.indexOf(letter)) & 0xfff;
      bits += 5;
      if (bits >= 8) found.push((held >> (bits -= 8)) & 0xff);
    }
    return new Uint8Array(found);
  }

  async function derived(secret, salt, info) {
    const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
    const how = { name: "HKDF", hash: "SHA-256", salt, info: bytes(info) };
    return new Uint8Array(await crypto.subtle.deriveBits(how, key, 256));
  }

  // The file's key for one recipient, as lines of the head.
  async function stanza(fileKey, recipient) {
    const theirs = keyIn(recipient);
    const ours = await crypto.subtle.generateKey({ name: "X25519" }, true, ["deriveBits"]);
    const share = new Uint8Array(await crypto.subtle.exportKey("raw", ours.publicKey));
    const other = await crypto.subtle.importKey("raw", theirs, { name: "X25519" }, false, []);
    const shared = await crypto.subtle.deriveBits({ name: "X25519", public: other }, ours.privateKey, 256);
    const key = await derived(shared, joined(share, theirs), "age-encryption.org/v1/X25519");
    const body = noble.chacha20poly1305(key, new Uint8Array(12)).encrypt(fileKey);
    return `-> X25519 ${unpadded(share)}\n${unpadded(body)}\n`;
  }

  // The text in pieces, each with its number; the last one has a mark.
  function encrypted(key, data) {
    const parts = [];
    const count = Math.max(1, Math.ceil(data.length / CHUNK));
    for (let number = 0; number < count; number++) {
      const nonce = new Uint8Array(12);
      new DataView(nonce.buffer).setUint32(7, number);
      nonce[11] = number === count - 1 ? 1 : 0;
      parts.push(noble.chacha20poly1305(key, nonce).encrypt(data.slice(number * CHUNK, (number + 1) * CHUNK)));
    }
    return joined(...parts);
  }

  // A text, or bytes, sealed to these keys, in letters that can be pasted anywhere.
  async function sealed(text, recipients) {
    const data = typeof text === "string" ? bytes(text) : text;
    const fileKey = random(16);
    const nonce = random(16);
    let head = "age-encryption.org/v1\n";
    for (const recipient of recipients) head += await stanza(fileKey, recipient);
    head += "---";
    const forMac = await derived(fileKey, new Uint8Array(0), "header");
    const macKey = await crypto.subtle.importKey("raw", forMac, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", macKey, bytes(head)));
    const body = encrypted(await derived(fileKey, nonce, "payload"), data);
    const whole = base64(joined(bytes(`${head} ${unpadded(mac)}\n`), nonce, body));
    const lines = whole.match(/.{1,64}/g).join("\n");
    return `-----BEGIN AGE ENCRYPTED FILE-----\n${lines}\n-----END AGE ENCRYPTED FILE-----\n`;
  }

  // What is sealed: a line that says what it is, the text, and zeros up to the next step, so that its size says little.
  function labelled(label, text) {
    const content = bytes(text);
    const line = bytes(`${JSON.stringify({ ...label, bytes: content.length })}\n`);
    const length = line.length + content.length;
    return joined(line, content, new Uint8Array((STEP - (length % STEP)) % STEP));
  }

  // Older browsers lack the curve; pages that came over an insecure connection lack all cryptography.
  async function canSeal() {
    try {
      return Boolean(await crypto.subtle.generateKey({ name: "X25519" }, true, ["deriveBits"]));
    } catch {
      return false;
    }
  }

  return { sealed, labelled, canSeal };
})();
