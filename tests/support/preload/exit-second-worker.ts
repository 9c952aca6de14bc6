/** Loaded into a server by `--import`: makes the second worker process exit before it is ready. */
if (process.argv[2] === '2') process.exit(3)
