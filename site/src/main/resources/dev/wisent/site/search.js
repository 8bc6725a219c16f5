// The parts of pages in which all words occur, the best first. A word may be the beginning of one.
(function () {
  const WORD = /[\p{L}\p{N}$_][\p{L}\p{N}$_.-]*/gu;
  const LIMIT = 20;

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
    return sum;
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
        const at = each.part.text.toLowerCase().indexOf(words[0]);
        const from = Math.max(0, at - 60);
        return { ...each.part, excerpt: each.part.text.slice(from, from + 160) };
      });
  };
})();
