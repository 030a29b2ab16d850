// Set `data-jp-theme-light` of the body, which the figures' style reads as in JupyterLab: light or dark, light on paper.

function followTheme() {
  const [system, print] = ["(prefers-color-scheme: dark)", "print"].map((media) => matchMedia(media));
  const places = [document.body, document.documentElement];
  function tell() {
    const named = places.map((place) => place.dataset.theme).find((theme) => theme === "dark" || theme === "light");
    const light = String(print.matches || (named ? named === "light" : !system.matches));
    if (document.body.dataset.jpThemeLight !== light) document.body.dataset.jpThemeLight = light;
  }
  const observer = new MutationObserver(tell);
  places.forEach((place) => observer.observe(place, { attributeFilter: ["data-theme"] }));
  [system, print].forEach((media) => media.addEventListener("change", tell));
  tell();
}
