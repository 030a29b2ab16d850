// Explorers whose frames a server computes when they are asked for: one after the other, the newest wish first.

const asJson = async (answer) => {
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};

// Make the pack of an explorer; `frame` returns what is known, or a promise of it.
function livePack(name, about) {
  const kept = new Map(); // place -> frame, or a promise of it
  const wishes = [];
  let busy = false;
  async function work() {
    busy = true;
    while (wishes.length) {
      const { place, resolve, reject } = wishes.pop();
      try {
        kept.set(place, await asJson(await fetch(`frames/${name}?place=${place}`)));
        resolve(kept.get(place));
      } catch (problem) {
        kept.delete(place);
        reject(problem);
      }
    }
    busy = false;
  }
  function frame(wanted) {
    const place = String(wanted);
    if (!kept.has(place)) {
      kept.set(place, new Promise((resolve, reject) => wishes.push({ place, resolve, reject })));
      if (!busy) work();
    }
    return kept.get(place);
  }
  return { ...about, frame };
}
