// Pages that were drawn here before: a later visit of the same link shows its own again at once, while the program starts.

const MOST = 8;

/** Where the page of a call is kept: its name is the digest of all that the page was made of, so it is nobody else's. */
async function placeOf({ of }, asked) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(asked)));
  const name = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { pages: await caches.open(`adjudicator ${of}`), at: new URL(`${of}/drawn/${name}`, location.href) };
}

/** What the program answered to a call on an earlier visit; undefined if nothing of it is kept. */
export async function drawnBefore(about, asked) {
  try {
    const { pages, at } = await placeOf(about, asked);
    return await (await pages.match(at))?.json();
  } catch {
    return undefined;
  }
}

/** Keeps what the program has answered to a call, and the newest of the others. */
export async function keepDrawn(about, asked, found) {
  try {
    const { pages, at } = await placeOf(about, asked), isPage = ({ url }) => url.includes("/drawn/");
    await pages.delete(at);
    await pages.put(at, new Response(JSON.stringify(found)));
    const old = (await pages.keys()).filter(isPage).slice(0, -MOST);
    await Promise.all(old.map((each) => pages.delete(each)));
  } catch { /* forbidden or full: the next visit waits for the program */ }
}
