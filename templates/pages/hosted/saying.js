// The page's own words: in the browser's language, or in that of a link, if the page has it.

const known = JSON.parse(document.getElementById("words").textContent);

export const words = {};
export const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

/** Says everything in a language from here on; in English if the page has no such words. */
export function speak(language) {
  const spoken = Object.hasOwn(known, language) ? language : "en";
  Object.assign(words, known[spoken]);
  document.documentElement.lang = spoken;
  for (const each of document.querySelectorAll("[data-say]")) each.textContent = words[each.dataset.say];
}

speak(navigator.language.split("-")[0]);
