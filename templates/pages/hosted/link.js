// A link: what it says, read before anything else is loaded; and where it stays, which isn't the address.

const KEPT = "adjudicator link", VERSION = "2", MOST = 16384;

/** What stands after the `#`, or stood there before a reload or a way back. */
export function givenLink() {
  const [{ type }] = performance.getEntriesByType("navigation");
  try {
    return location.hash.slice(1) || (type !== "navigate" && sessionStorage.getItem(KEPT)) || "";
  } catch {
    return location.hash.slice(1);
  }
}

/** Takes the link out of the address, from where it would go on by history, bookmarks and screenshots; it stays in this
 * tab for a reload. */
export function leaveAddress(text) {
  try {
    sessionStorage.setItem(KEPT, text);
    history.replaceState(null, "", location.pathname + location.search);
  } catch { /* nothing is kept here: only the address has it */ }
}

/** What a packed link holds, as far as it can be read without the program; else an Error with the key of a sentence. */
export async function readLink(code) {
  const [, version, packed] = /^(\d+)\.([\w-]*)$/.exec(code) ?? [];
  if (version === undefined) throw new Error("link-broken");
  if (version !== VERSION) throw new Error("link-version");
  if (packed.length > MOST) throw new Error("link-long");
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const content = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
    if (typeof content.view === "string") return content;
  } catch { /* cut or changed on its way */ }
  throw new Error("link-broken");
}
