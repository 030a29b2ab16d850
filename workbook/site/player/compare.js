// When two numbers count as the same answer: compare.py of the page, for one number each.

// Whether a is b, to one unit in the third significant digit and to within the relative tolerance.
function sameAnswer(a, b, tolerance) {
  if (a === b) return true;
  if (!Number.isFinite(b) || b === 0) return false;
  const allowed = Math.min(tolerance * Math.abs(b), 200 * tolerance * unitOf(b, 3));
  return Math.abs(a - b) <= allowed * (1 + 1e-9);
}

// Equal after rounding to two significant digits; of probabilities, the first of their distances from 1 as well.
const alike = (a, b) => roundsTo(a, b, 2) && (!(a >= 0 && a <= 1 && b > 0 && b < 1) || roundsTo(1 - a, 1 - b, 1));

function roundsTo(a, b, digits) {
  if (!Number.isFinite(a) || !Number.isFinite(b) || b === 0) return false;
  const rounded = [-1e-12, 1e-12].map((nudge) => Number(general(a * (1 + nudge), digits))); // a tie goes either way
  return rounded.some((number) => Math.abs(number - b) <= (unitOf(b, digits) / 2) * (1 + 1e-9));
}

// What the last of so many significant digits counts: 0.001 for 0.123 and three digits.
const unitOf = (value, digits) => 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
