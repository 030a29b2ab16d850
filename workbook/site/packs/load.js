// Scripts of the site: neither modules nor fetch work in a page that was opened from a file.

const scripts = new Map(); // address -> promise that it has run

// Load a script once.
function loadScript(address) {
  if (!scripts.has(address))
    scripts.set(address, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${address} is not there.`));
      document.head.append(script);
    }));
  return scripts.get(address);
}
