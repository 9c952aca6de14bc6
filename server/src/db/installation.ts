import type { Db } from './database.ts'

type Fact = 'key_check' | 'first_run'

export async function findFact(db: Db, name: Fact): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Writes a fact once. False when it was there already, also when another node was faster by a moment. */
export async function insertFact(db: Db, name: Fact, value: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('installation')
    .values({ name, value })
    .onConflict((c) => c.column('name').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}
