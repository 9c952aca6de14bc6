import type { Insertable } from 'kysely'
import { type Db, takeAdvisoryLock } from '../../db/database.ts'
import { isActive } from '../../db/queries/company-scope.ts'
import { prepareQuery } from '../../db/queries/prepared-query.ts'
import type { Schema } from '../../db/schema.ts'

/** Selects tokens that are still valid. The query checks everything that can end a token, so that no caller can forget to. */
const selectLiveTokens = (db: Db, now: string) =>
  db
    .selectFrom('api_token')
    .innerJoin('user', (join) =>
      join.onRef('user.id', '=', 'api_token.user_id').onRef('user.generation', '=', 'api_token.generation'),
    )
    .where(isActive('user'))
    .where((eb) => eb.or([eb('api_token.expires_at', 'is', null), eb('api_token.expires_at', '>', now)]))

const selectTokensWithOwner = (db: Db, now: string) =>
  selectLiveTokens(db, now).leftJoin('provider_account', 'provider_account.user_id', 'user.id').select([
    'api_token.id',
    'api_token.name as token_name',
    'api_token.scope',
    'api_token.last_used_at',
    'user.id as user_id',
    'user.company_id',
    'user.role',
    'user.access',
    'user.name',
    'user.second_factor_at',
    // Not null if the owner signs in with a provider.
    'provider_account.subject as provider_subject',
  ])

export type TokenOwner = NonNullable<Awaited<ReturnType<typeof findToken>>>

const selectTokenByHash = prepareQuery((db, { hash, now }: { hash: string; now: string }) =>
  selectTokensWithOwner(db, now).where('api_token.hash', '=', hash),
)

export const findTokenByHash = async (db: Db, hash: string, now: string) => (await selectTokenByHash(db, { hash, now })).rows[0]

const selectTokenById = prepareQuery((db, { id, now }: { id: string; now: string }) =>
  selectTokensWithOwner(db, now).where('api_token.id', '=', id),
)

export const findToken = async (db: Db, id: string, now: string) => (await selectTokenById(db, { id, now })).rows[0]

export const listTokens = (db: Db, userId: string, now: string) =>
  selectLiveTokens(db, now)
    .where('api_token.user_id', '=', userId)
    .selectAll('api_token')
    .orderBy('api_token.created_at', 'desc')
    .orderBy('api_token.id')
    .execute()

/** Serializes the creation of a user's tokens, so that concurrent requests cannot exceed the limit. */
export const lockTokens = (trx: Db, userId: string) => takeAdvisoryLock(trx, `token ${userId}`)

/** Returns the generation of a session; undefined if it no longer exists. */
export const findGeneration = async (db: Db, sessionId: string): Promise<number | undefined> =>
  (await db.selectFrom('session').select('generation').where('id', '=', sessionId).executeTakeFirst())?.generation

export const insertApiToken = (db: Db, row: Insertable<Schema['api_token']>) => db.insertInto('api_token').values(row).execute()

export const touchToken = (db: Db, id: string, last_used_at: string) =>
  db.updateTable('api_token').set({ last_used_at }).where('id', '=', id).execute()

/** Returns undefined if the token does not exist or belongs to another user. */
export const deleteToken = (db: Db, userId: string, id: string) =>
  db.deleteFrom('api_token').where('id', '=', id).where('user_id', '=', userId).returning(['name', 'scope']).executeTakeFirst()

/** Deletes tokens that have expired, or whose owner's sessions have all been ended since. */
export const deleteEndedTokens = (db: Db, now: string) =>
  db
    .deleteFrom('api_token')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', now),
        eb.not(
          eb.exists(
            eb
              .selectFrom('user')
              .select('user.id')
              .whereRef('user.id', '=', 'api_token.user_id')
              .whereRef('user.generation', '=', 'api_token.generation'),
          ),
        ),
      ]),
    )
    .execute()
