// YAML: read and written as the program does, so that a value means the same to both: `no` and `1:30` are text.

const WIDTH = 100, MOST_DIGITS = 15, MOST_LEVELS = 32;
const WORDS = new Map([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null]),
  ...["true", "True", "TRUE"].map((word) => [word, true]),
  ...["false", "False", "FALSE"].map((word) => [word, false]),
]);
const PLAIN = /^\p{L}[\p{L}\p{N}_]*(?:[ -][\p{L}\p{N}_]+)*$/u;
const LONE = /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/g;
const UNSEEN = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]/g;

/** What an unquoted word means: a number, true, false or null; else it is text. */
function scalar(text) {
  if (WORDS.has(text)) return WORDS.get(text);
  if (/^[-+]?(?:0|[1-9][0-9]*)$/.test(text)) return numberOf(text, Number(text));
  if (/^(?:0x[0-9a-fA-F]+|0o[0-7]+)$/.test(text)) return numberOf(text, Number(text));
  if (/^[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return numberOf(text, Number(text));
  return text;
}

/** Numbers that a browser would round are not read at all. */
function numberOf(text, number) {
  const exact = Number.isSafeInteger(number) || (!Number.isInteger(number) && text.length <= MOST_DIGITS);
  if (!exact) throw new Error(say("number-too-large", { text }));
  return number === 0 ? 0 : number;
}

/** The schema by which js-yaml reads: lists, mappings, and scalars as above. */
function yamlSchema() {
  const { Type, FAILSAFE_SCHEMA } = jsyaml;
  const read = new Type("tag:yaml.org,2002:null", {
    kind: "scalar",
    resolve: (text) => text === null || typeof scalar(text) !== "string",
    construct: (text) => scalar(text ?? ""),
  });
  return FAILSAFE_SCHEMA.extend({ implicit: [read] });
}

/** The value in a YAML text; throws an Error that says what is wrong, and in which line. */
function readYaml(text) {
  try {
    return jsyaml.load(text.replace(/^\ufeff/, ""), { schema: yamlSchema(), listener: refuse, maxDepth: MOST_LEVELS });
  } catch (error) {
    if (!(error instanceof jsyaml.YAMLException)) throw error;
    const key = `yaml-${error.reason.replace(/[^a-z]+/gi, "-").slice(-14)}`;  // by its end each is told apart
    throw new Error(say("yaml", { line: (error.mark?.line ?? 0) + 1, reason: say(has(data.texts, key) ? key : "yaml-other") }));
  }
}

/** Refuses what sheets can't have: anchors, and a second document. */
function refuse(event, state) {
  if (event === "open" && state.documents.length) {
    const before = state.input.slice(0, state.position).split("\n");
    throw new Error(say("yaml", { line: before.findLastIndex((line) => line.startsWith("---")) + 1, reason: say("another-document") }));
  }
  if (event === "close" && state.anchor !== null) throw new Error(say("yaml", { line: state.line + 1, reason: say("anchor", { name: state.anchor }) }));
}

/** A value as a YAML document: the first two levels on lines of their own, deeper ones in brackets if they fit. */
function writeYaml(value) {
  const lines = [];
  addLines(lines, value, "", "", 0);
  return lines.join("\n") + "\n";
}

function addLines(lines, value, head, pad, depth) {
  const empty = !isList(value) && !isMapping(value) || Object.keys(value).length === 0;
  const flat = empty ? scalarText(value) : depth >= 2 ? inBrackets(value, 1) : null;
  if (flat !== null && (empty || flat.length <= WIDTH - head.length - 1)) {
    lines.push(head ? `${head} ${flat}` : flat);
    return;
  }
  const joined = head.length < pad.length;
  if (head && !joined) lines.push(head);
  const begin = lines.length, inner = pad + "  ";
  for (const [key, each] of Object.entries(value)) {
    if (isList(value)) addLines(lines, each, `${pad}-`, inner, depth + 1);
    else addLines(lines, each, `${pad}${keyText(key)}:`, inner, depth + 1);
  }
  if (joined) lines[begin] = head + lines[begin].slice(head.length);
}

/** A value on one line; null if more than so many levels lie in one another. */
function inBrackets(value, levels) {
  if (!isList(value) && !isMapping(value)) return scalarText(value);
  if (levels < 0) return Object.keys(value).length ? null : scalarText(value);
  const parts = Object.entries(value).map(([key, each]) => {
    const text = inBrackets(each, levels - 1);
    return text !== null && !isList(value) ? `${keyText(key)}: ${text}` : text;
  });
  if (parts.includes(null)) return null;
  return isList(value) ? `[${parts.join(", ")}]` : `{${parts.join(", ")}}`;
}

function scalarText(value) {
  if (isList(value)) return "[]";
  if (isMapping(value)) return "{}";
  if (typeof value !== "string") return String(value);
  return isText(value) ? keyText(value) : quotedText(value);
}

function isText(word) {
  try {
    return typeof scalar(word) === "string";
  } catch {
    return false;
  }
}

const keyText = (text) => (PLAIN.test(text) ? text : quotedText(text));

/** A text in quotes, with invisible characters escaped; half a character, which no file can hold, is left out. */
function quotedText(text) {
  const escaped = (sign) => "\\u" + sign.charCodeAt(0).toString(16).padStart(4, "0");
  return JSON.stringify(text.replace(LONE, "")).replace(UNSEEN, escaped);
}
