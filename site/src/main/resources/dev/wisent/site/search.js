// The parts of pages in which all words occur, the best first. A word may be the beginning of one.
(function () {
  const WORD = /[\p{L}\p{N}$_][\p{L}\p{N}$_.-]*/gu;
  const LIMIT = 20;
  const BACKGROUND = /^(project|decisions)\//;

  function count(text, word) {
    let found = 0;
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const begins = at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1]);
      found += begins ? 1 : 0;
    }
    return found;
  }

  function score(part, words) {
    let sum = 0;
    for (const word of words) {
      const inHeading = count(part.heading.toLowerCase(), word);
      const inPage = count(part.page.toLowerCase(), word);
      const inText = count(part.text.toLowerCase(), word);
      if (inHeading + inPage + inText === 0) {
        return 0;
      }
      sum += 20 * Math.min(inHeading, 1) + 5 * Math.min(inPage, 1) + Math.min(inText, 5);
    }
    // What changed, and why things are so, comes after how they are.
    return BACKGROUND.test(part.address) ? sum / 10 : sum;
  }

  /** What stands around a word, from the beginning of a word to the end of one. */
  function excerpt(text, word) {
    const from = Math.max(0, text.toLowerCase().indexOf(word) - 60);
    const to = from + 160;
    const begin = from === 0 ? 0 : text.indexOf(" ", from) + 1;
    const end = to >= text.length ? text.length : Math.max(begin, text.lastIndexOf(" ", to));
    return (begin > 0 ? "… " : "") + text.slice(begin, end) + (end < text.length ? " …" : "");
  }

  globalThis.wisentSearch = function (index, query) {
    const words = query.toLowerCase().match(WORD) || [];
    if (words.length === 0) {
      return [];
    }
    return index
      .map((part) => ({ part, score: score(part, words) }))
      .filter((each) => each.score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, LIMIT)
      .map((each) => {
        return { ...each.part, excerpt: excerpt(each.part.text, words[0]) };
      });
  };
})();
