// Scripts of the site: neither modules nor fetch work in a page that was opened from a file.

// Return a promise that a script has run.
const afterRun = (script) => new Promise((resolve, reject) => {
  script.onload = resolve;
  script.onerror = () => reject(new Error(`${script.getAttribute("src")} is not there.`));
});
const scripts = new Map([...document.querySelectorAll("script[defer]")].map((script) => [script.src, afterRun(script)])); // those after this one

// Load a script once.
function loadScript(address) {
  const script = Object.assign(document.createElement("script"), { src: address });
  if (!scripts.has(script.src)) {
    scripts.set(script.src, afterRun(script));
    document.head.append(script);
  }
  return scripts.get(script.src);
}
