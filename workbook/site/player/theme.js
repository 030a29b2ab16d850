// The page's theme, dark or light, as the figures' style asks for it: JupyterLab's way, `data-jp-theme-light` of the body.

function followTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const places = [document.body, document.documentElement];
  function tell() {
    const named = places.map((place) => place.dataset.theme).find((theme) => theme === "dark" || theme === "light");
    const light = String(named ? named === "light" : !system.matches);
    if (document.body.dataset.jpThemeLight !== light) document.body.dataset.jpThemeLight = light;
  }
  const observer = new MutationObserver(tell);
  places.forEach((place) => observer.observe(place, { attributeFilter: ["data-theme"] }));
  system.addEventListener("change", tell);
  tell();
}
