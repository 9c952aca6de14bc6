const day = 24 * 60 * 60_000

/** What went to the trash before this is forgotten now. */
export const purgeCutoff = (now: Date, trashDays: number): string => new Date(now.getTime() - trashDays * day).toISOString()

/** When the trash forgets what has been in it since then. */
export const purgeTimeOf = (deletedAt: string | null, trashDays: number): string | null =>
  deletedAt === null ? null : new Date(Date.parse(deletedAt) + trashDays * day).toISOString()
