(function () {
  const root = document.body.dataset.root;
  const input = document.getElementById("search");
  const found = document.getElementById("found");

  function show() {
    const parts = wisentSearch(wisentIndex, input.value);
    found.replaceChildren(
      ...parts.map((part) => {
        const link = document.createElement("a");
        link.href = root + part.address;
        const title = document.createElement("b");
        title.textContent =
          part.heading === part.page ? part.page : part.page + ": " + part.heading;
        const excerpt = document.createElement("span");
        excerpt.textContent = part.excerpt;
        link.append(title, excerpt);
        const item = document.createElement("li");
        item.append(link);
        return item;
      }),
    );
    if (parts.length === 0) {
      const item = document.createElement("li");
      item.textContent = "Nothing found";
      found.append(item);
    }
    found.hidden = input.value.trim() === "";
  }

  input.addEventListener("input", show);
  found.addEventListener("click", () => (found.hidden = true));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    } else if (event.key === "Escape") {
      found.hidden = true;
    } else if (event.key === "Enter" && document.activeElement === input) {
      const first = found.querySelector("a");
      if (first) {
        location.href = first.href;
      }
    }
  });

  function remembered(value) {
    try {
      if (value) {
        localStorage.setItem("theme", value);
      }
      return localStorage.getItem("theme");
    } catch (e) {
      return value;
    }
  }

  const chosen = remembered() || new URLSearchParams(location.search).get("theme");
  if (chosen) {
    document.documentElement.dataset.theme = chosen;
  }
  document.getElementById("theme").addEventListener("click", () => {
    const style = document.documentElement;
    const dark =
      style.dataset.theme === "dark" ||
      (!style.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    style.dataset.theme = remembered(dark ? "light" : "dark");
  });
})();
