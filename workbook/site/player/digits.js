// Numbers in words as Python writes them: a tie goes to the even digit, by the exact value and not by its first digits.

const LONG = 60; // digits after the tie that tell whether it is one

// A number to so many digits, by `write`, which lets a tie go up.
function even(digits, write) {
  const [short, long] = [digits, digits + LONG].map((many) => write(many).split("e"));
  const cut = long[0].length - LONG;
  const low = long[0].slice(0, cut).replace(/\.$/, "");
  const tie = /^50*$/.test(long[0].slice(cut)) && Number(low.at(-1)) % 2 === 0;
  return (tie ? [low, ...long.slice(1)] : short).join("e");
}

// As Python's f"{value:.{decimals}f}".
function fixed(value, decimals) {
  if (!Number.isFinite(value)) return unbounded(value);
  return even(decimals, (digits) => value.toFixed(digits));
}

// As Python's f"{value:.{digits}g}".
function general(value, digits) {
  if (!Number.isFinite(value)) return unbounded(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa, power] = even(digits - 1, (places) => value.toExponential(places)).split("e");
  const exponent = Number(power);
  const bare = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent < -4 || exponent >= digits)
    return `${bare(mantissa)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  return bare(Number(`${mantissa}e${exponent}`).toFixed(Math.max(0, digits - 1 - exponent)));
}

const unbounded = (value) => (Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf");

// A number for a sentence: three significant digits.
const threeDigits = (value) => general(value, 3);
