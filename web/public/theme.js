// Runs before the first paint, so that the page does not flash in the wrong theme. src/lib/storage/theme.ts sets the cookie.
;(() => {
  const choice = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)
  if (choice) document.documentElement.dataset.theme = choice[1]
})()
