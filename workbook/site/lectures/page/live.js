// Explorers whose frames a server computes when they are asked for: at most one is on its way, and what is asked for
// meanwhile replaces what was asked for before.

const asJson = async (answer) => {
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};

// Make the pack of an explorer; `frame` returns what is known, or a promise of it, null if another state was asked for.
function livePack(name, about) {
  const kept = new Map();
  let [busy, waiting] = [false, null];
  async function bring(place) {
    busy = true;
    try {
      kept.set(String(place), await asJson(await fetch(`frames/${name}?place=${place}`)));
    } finally {
      busy = false;
      waiting?.(); // the newest one
    }
    return kept.get(String(place));
  }
  function frame(place) {
    if (kept.has(String(place))) return kept.get(String(place));
    if (!busy) return bring(place);
    waiting?.(null);
    return new Promise((resolve, reject) => {
      waiting = (...stop) => {
        waiting = null;
        stop.length ? resolve(null) : bring(place).then(resolve, reject);
      };
    });
  }
  return { ...about, frame };
}
