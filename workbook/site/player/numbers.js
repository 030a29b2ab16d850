// Numbers as people type them: typed.py of the page, held equal to it by a table of answers run through both.

const HOW = "Type it like 0.25, 1/4, 25 % or 88*93/108**2.";
const THOUSANDS = /^[1-9]\p{Nd}{0,2}((,\p{Nd}{3})+(?=\.)|(,\p{Nd}{3}){2,})(\.\p{Nd}*)?$/u; // 1,234.5 and 1,000,000
const TWO_WAYS = /^[1-9]\p{Nd}{0,2},\p{Nd}{3}$/u; // 1,609: one thousand and more in one country, below two in another
const TYPED_NUMBER = /(?<![\p{L}\p{N}_.,])(?:\p{Nd}[\p{Nd}.,]*|\.\p{Nd}+)(?:e[-+]?\p{Nd}+)?(?![\p{L}\p{N}_.,])/giu;
const TYPED_SIGNS = { "−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "∞": "inf" };
const LITERAL = /(0x[\da-f_]+|0[ob][\d_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[-+]?\d[\d_]*)?)/u;
const TOKEN = new RegExp(`[ \\t\\f]+|${LITERAL.source}|([\\p{L}_][\\p{L}\\p{N}_]*)|(\\*\\*|//|[-+*/%().,])`, "giuy");
const UNIT = /(?<=[\p{Nd})])\p{Z}*(times|x|nats?|bits?|people|days|names|rows|words|dots|votes|points|minutes)$/u;
const CALLED = /(?<![\p{L}\p{N}_])(log|ln|exp|sqrt)\p{Z}+(\p{Nd}[\p{Nd}.]*)/gu; // log 6
const DEEPEST = 200; // brackets in brackets

class Unread extends Error {} // what is said to the reader
class NoNumber extends Error {}
class ByZero extends Error {}

// Without what Python calls space.
const BLANK = "(?:[^\\S\\ufeff]|[\\x1c-\\x1f\\x85])+";
const endTrimmed = (text) => text.replace(new RegExp(`${BLANK}$`), "");
const trimmed = (text) => endTrimmed(text).replace(new RegExp(`^${BLANK}`), "");

// A text as Python shows it: in quotes, what cannot be seen as its code.
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const plain = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", [quote]: `\\${quote}` };
  const code = (character) => {
    const number = character.codePointAt(0);
    const [sign, digits] = number < 256 ? ["x", 2] : number < 65536 ? ["u", 4] : ["U", 8];
    return `\\${sign}${number.toString(16).padStart(digits, "0")}`;
  };
  const shown = (character) => plain[character] ?? (/[\p{C}\p{Z}]/u.test(character) && character !== " " ? code(character) : character);
  return quote + [...text].map(shown).join("") + quote;
}

// 0.25, 9.6/89.6, 25 %, 2.5e-1, 0,25, 1,000,000, 88*93/108**2, log(2): the number meant. Unread says what can be read.
function readNumber(text) {
  const value = calculated(String(text));
  if (Number.isNaN(value)) throw new Unread(`nan is not a number. ${HOW}`);
  return value;
}

function calculated(text) {
  const start = [...text].slice(0, 40).join("");
  let plain = trimmed(text).replace(/^['"]+|['"]+$/g, "").replace(/\p{Z}*per ?cent$/u, "%").replace(/[−–×·÷∞]/g, (sign) => TYPED_SIGNS[sign]);
  const percent = plain.endsWith("%");
  plain = plain.replace(UNIT, "").replace(CALLED, "$1($2)");
  if (percent) plain = endTrimmed(plain.slice(0, -1));
  plain = plain.replace(TYPED_NUMBER, withoutComma);
  try {
    const value = treeOf(tokensOf(plain.replaceAll("^", "**")))();
    return percent ? value / 100 : value;
  } catch (problem) {
    if (problem instanceof ByZero) throw new Unread(`${quoted(start)} divides by 0, so it is not a number I can read. ${HOW}`);
    if (problem instanceof NoNumber) throw new Unread(`${quoted(start)} is not a number I can read. ${HOW}`);
    throw problem;
  }
}

// One typed number without its commas; 1,000 can mean two numbers, and Unread says which.
function withoutComma(number) {
  if (TWO_WAYS.test(number)) {
    const both = `${number.replaceAll(",", "")} or ${number.replace(",", ".")}`;
    throw new Unread(`${quoted(number)} can be read in two ways. Type it without the comma: ${both}.`);
  }
  if (THOUSANDS.test(number)) return number.replaceAll(",", "");
  return number.split(",").length === 2 && !number.includes(".") ? number.replace(",", ".") : number;
}

function tokensOf(text) {
  const tokens = [];
  const line = text.replace(/#.*$/, "");
  if (/^[ \t]/.test(line)) NO_NUMBER(); // Python calls it an indent
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < line.length) {
    const found = TOKEN.exec(line);
    if (!found) NO_NUMBER();
    const [, number, name, sign] = found;
    if (number && /^[\p{L}\p{N}_]/u.test(line.slice(TOKEN.lastIndex))) NO_NUMBER(); // 2x
    if (number) tokens.push({ number: valueOf(number) });
    else if (name) tokens.push({ name: name.normalize("NFKC") });
    else if (sign) tokens.push({ sign });
  }
  return tokens;
}

// Of a literal, as Python has it: no 007, no 1__0, and a whole number of 309 digits is too large.
function valueOf(literal) {
  const whole = /^[\d_]+$/.test(literal);
  if (/__|_(?![\da-f])|(?<![\da-fxob])_/i.test(literal) || (whole && /^0[0_]*[1-9]/.test(literal))) NO_NUMBER();
  const value = Number(literal.replaceAll("_", ""));
  if (Number.isNaN(value) || (whole && value === Infinity)) NO_NUMBER();
  return value;
}

const NO_NUMBER = () => {
  throw new NoNumber();
};

// A function that calculates what the tokens say, from left to right as Python does.
function treeOf(tokens) {
  let [at, depth] = [0, 0];
  const ahead = (...signs) => signs.includes(tokens[at]?.sign);
  function take(sign) {
    if (!ahead(sign)) NO_NUMBER();
    at++;
  }
  const chain = (signs, part) => () => {
    let left = part();
    while (ahead(...signs)) {
      const [one, { sign }, other] = [left, tokens[at++], part()];
      left = SIGNS[sign] ? () => SIGNS[sign](one(), other()) : NO_NUMBER;
    }
    return left;
  };
  function factor() {
    if (!ahead("-", "+")) return power();
    const [{ sign }, value] = [tokens[at++], factor()];
    return sign === "-" ? () => -value() : value;
  }
  function power() {
    const base = primary();
    if (!ahead("**")) return base;
    at++;
    const exponent = factor();
    return () => raised(base(), exponent());
  }
  function primary() {
    let found = atom();
    while (ahead(".", "(")) found = tokens[at++].sign === "." ? attribute() : call(found.called);
    return found;
  }
  function attribute() {
    const name = tokens[at++]?.name ?? NO_NUMBER();
    return Object.assign(() => NO_NUMBER(), { called: name });
  }
  function call(name) {
    const given = [];
    enter();
    while (!ahead(")")) {
      given.push(sum());
      if (!ahead(")")) take(",");
    }
    leave();
    return given.length === 1 && name ? () => (Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name](given[0]()) : NO_NUMBER()) : () => NO_NUMBER();
  }
  function atom() {
    const token = tokens[at++];
    if (token?.number !== undefined) return () => token.number;
    if (token?.name) return Object.assign(() => (token.name === "inf" ? Infinity : NO_NUMBER()), { called: token.name });
    if (token?.sign !== "(") NO_NUMBER();
    enter();
    const inner = sum();
    leave();
    return inner;
  }
  function enter() {
    if (++depth > DEEPEST) NO_NUMBER();
  }
  function leave() {
    take(")");
    depth--;
  }
  const product = chain(["*", "/", "//", "%"], factor);
  const sum = chain(["+", "-"], product);
  const tree = sum();
  if (at < tokens.length) NO_NUMBER();
  return tree;
}

const SIGNS = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => {
    if (b === 0) throw new ByZero();
    return a / b;
  },
};
const FUNCTIONS = { log: logarithm, ln: logarithm, exp: exponential, sqrt: squareRoot };

function raised(base, exponent) {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Infinity)) return 1;
  if (base === 0 && exponent < 0 && exponent > -Infinity) throw new ByZero();
  if (base < 0 && Number.isFinite(base) && Number.isFinite(exponent) && !Number.isInteger(exponent)) throw new NoNumber(); // a complex number
  return finite(base ** exponent, base, exponent);
}

function logarithm(value) {
  if (value <= 0) throw new NoNumber();
  return Math.log(value);
}

function exponential(value) {
  return finite(Math.exp(value), value);
}

function squareRoot(value) {
  if (value < 0) throw new NoNumber();
  return Math.sqrt(value);
}

// What is too large for the machine is no number.
function finite(value, ...given) {
  if (Math.abs(value) === Infinity && given.every(Number.isFinite)) throw new NoNumber();
  return value;
}
