// One explorer alone on the page, for a frame in another page: `?embed=NAME`.

// Show one explorer and what contains it, without anything else, and return it; if there is none of that name, say so and
// show the page. name: its class or id.
function openAlone(players, name) {
  const player = players.find(({ host }) => [host.id, host.dataset.start, host.dataset.explorer].includes(name));
  if (!player) return document.body.prepend(made("p", { class: "nb-trouble", role: "alert" }, `There is no ${name} on this page.`));
  document.documentElement.classList.add("nb-embed");
  player.host.classList.add("nb-embedded");
  player.open();
  return player;
}
