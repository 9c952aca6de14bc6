/** Loaded into a Neptune by `--import`: its second worker ends before it serves. */
if (process.argv[2] === '2') process.exit(3)
