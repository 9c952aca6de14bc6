const dayMs = 24 * 60 * 60_000

/** Returns the cutoff for purging the trash: items that were deleted before it are purged now. */
export const getPurgeCutoff = (now: Date, trashDays: number): string => new Date(now.getTime() - trashDays * dayMs).toISOString()

/** Returns when an item that was deleted at this time is purged from the trash. */
export const getPurgeTime = (deletedAt: string | null, trashDays: number): string | null =>
  deletedAt === null ? null : new Date(Date.parse(deletedAt) + trashDays * dayMs).toISOString()
