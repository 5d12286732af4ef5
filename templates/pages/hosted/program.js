// Asks the program: in a worker of this page, or, where `adjudicator play` serves the page, on the machine that serves it.

const waiting = new Map();
let numbers = 0, worker;

/** Starts the program; calls `loaded` with the share that has come, from 0 to 1, and `unkept` if it can't be kept. */
export async function start(about, { loaded, unkept }) {
  if (about.server) return;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.share !== undefined) return loaded(data.share);
    if (data.unkept) return unkept();
    const { resolve, reject } = waiting.get(data.number);
    waiting.delete(data.number);
    if (data.failed === undefined) resolve(data.answer && JSON.parse(data.answer));
    else reject(new Error(data.failed));
  };
  worker.onerror = (event) => waiting.forEach(({ reject }) => reject(new Error(event.message)));
  await ask("start", { cache: `adjudicator ${about.of}`, bytes: about.bytes, beside: about.beside });
}

/** The program's answer to a call (adjudicator/page/called.py). */
export function ask(call, values = {}) {
  if (!worker) return served("call", { call, values });
  return new Promise((resolve, reject) => {
    waiting.set(++numbers, { resolve, reject });
    worker.postMessage({ call, number: numbers, values });
  });
}

/** The answer of the machine that serves the page. */
export async function served(name, given) {
  const found = await fetch(name, { method: "POST", body: JSON.stringify(given) });
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  const answer = await found.json();
  if (answer.faulty) throw new Error(answer.faulty.join("; "));
  return answer;
}
