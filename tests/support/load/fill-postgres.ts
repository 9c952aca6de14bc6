import { Client } from 'pg'
import { countTotals } from './count-totals.ts'

/** The existing records that get most of the rows: a company with a user, a directory and a link. */
interface MainRecords {
  company: string
  user: string
  directory: string
  link: string
  /** Every n-th file is in the directory. Defaults to 100. */
  everyNth?: number
}

/**
 * Fills a database that Neptune has created with as many rows as after years of use, but without file contents: a million files and
 * a million audit entries, half of them in one company, and rows in every other table that is queried. Ids are derived from numbers,
 * so that rows can refer to each other.
 */
export async function fillPostgres(url: string, { company, user, directory, link, everyNth = 100 }: MainRecords): Promise<void> {
  const client = new Client(url)
  await client.connect()
  const execute = (text: string) => client.query(text)
  try {
    await execute(
      `set synchronous_commit = off; set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 2; set session_replication_role = replica`,
    )
    await execute(
      `create function pg_temp.id(text) returns text immutable parallel safe language sql as $$ select left(md5($1), 22) $$`,
    )
    await execute(`create function pg_temp.at(bigint) returns text stable parallel safe language sql
      as $$ select to_char(timestamp '2024-01-01' + $1 * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') $$`)
    // Without digits, so that the name is also `name_key` and `name_order`.
    await execute(`create function pg_temp.name(bigint) returns text immutable parallel safe language sql as $$ select
      (array['report', 'invoice', 'contract', 'drawing', 'offer', 'photo', 'minutes', 'budget', 'plan', 'letter'])[$1 % 10 + 1]
      || ' ' || translate(to_hex($1), '0123456789', 'ghijklmnop') || ' ' ||
      (array['berlin', 'paris', 'london', 'madrid', 'rome', 'vienna', 'oslo', 'prague'])[$1 / 10 % 8 + 1] || '.txt' $$`)
    // Half of all rows belong to the large company; the other half are spread over the other companies.
    const companyOf = (i: string) => `case when ${i} % 2 = 0 then '${company}' else pg_temp.id('company' || ${i} / 2 % 200) end`
    const userOf = (i: string) => `case when ${i} % 2 = 0 then '${user}' else pg_temp.id('user' || ${i} / 2 % 2000) end`
    // One directory of the large company has every n-th file; four thousand others share the rest.
    const directoryOf = (i: string) =>
      `case when ${i} % ${everyNth} = 0 then '${directory}' else pg_temp.id('directory' || ${i} % 4000) end`
    const linkOf = (i: string) => `case when ${i} % 100 = 0 then '${link}' else pg_temp.id('link' || ${i} % 100000) end`
    const tables: Record<string, string> = {
      company: `(id, name, name_key, name_order, created_at, bytes)
        select pg_temp.id('company' || i), 'company ' || i, 'company ' || i, 'company ' || length(i::text) || i, pg_temp.at(i), 1 from generate_series(0, 199) i`,
      user: `(id, company_id, name, name_key, name_order, email, role, password_hash, generation, created_at)
        select pg_temp.id('user' || i), pg_temp.id('company' || i % 200), 'user ' || i, 'user ' || i, 'user ' || length(i::text) || i,
          'user' || i || '@acme.example', 'NEPTUNE_USER', 'x', 0, pg_temp.at(i) from generate_series(0, 1999) i`,
      // The last twenty are empty and have been in the trash for a long time.
      directory: `(id, root_id, company_id, name, name_key, name_order, files, bytes, created_at, deleted_at)
        select pg_temp.id('directory' || i), pg_temp.id('directory' || i), ${companyOf('i')}, 
          'directory ' || i, 'directory ' || i, 'directory ' || length(i::text) || i, 248, 248000, pg_temp.at(i),
          case when i >= 4000 then pg_temp.at(i) end
        from generate_series(0, 4019) i`,
      file: `(id, blob_id, company_id, directory_id, name, name_key, name_order, kind, content_type, size, sha256, crc32, uploaded_by, created_at,
          deleted_at, thumbnail, thumbnail_id, thumbnail_size)
        select pg_temp.id('file' || i), pg_temp.id('file' || i), ${companyOf('i')}, ${directoryOf('i')}, pg_temp.name(i), pg_temp.name(i),
          pg_temp.name(i),
          (array['text', 'pdf', 'image', 'office'])[i / 2 % 4 + 1], 'text/plain', i::bigint * 7919 % 1000000, repeat('a', 64), 0, ${userOf('i')},
          pg_temp.at(i), case when i % 97 = 0 then pg_temp.at(i + 1000) end, case when i % 4 = 2 then 'made' else 'none' end,
          case when i % 4 = 2 then pg_temp.id('picture' || i) end, case when i % 4 = 2 then 1000 end
        from generate_series(1, 1000000) i`,
      link: `(key, type, company_id, directory_id, name, name_key, name_order, maker_id, code_mac, code_sealed, generation, created_at, expires_at,
          email, waiting_since)
        select pg_temp.id('link' || i), 'LINK_DIRECTORY', ${companyOf('i')}, ${directoryOf('i')}, pg_temp.name(i), pg_temp.name(i),
          pg_temp.name(i), ${userOf('i')}, '', '', 0, pg_temp.at(i), to_char(now() + (i % 60 - 20) * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
          case when i % 2 = 0 then 'guest' || i || '@globex.example' end,
          case when i % 4 = 0 then to_char(now() - (i / 4 % 60) * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') end
        from generate_series(0, 99999) i`,
      news: `(id, company_id, link_key, kind, at, files, bytes, name)
        select pg_temp.id('news' || i), ${companyOf('i')}, ${linkOf('i')}, 'uploaded',
          to_char(now() - (i % 29) * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), 3, 3000, pg_temp.name(i)
        from generate_series(1, 100000) i`,
      link_event: `(id, link_key, session_id, kind, file_id, name, size, bytes, times, at, client)
        select pg_temp.id('event' || i), ${linkOf('i')}, pg_temp.id('visit' || i), (array['opened', 'downloaded', 'uploaded'])[i % 3 + 1],
          pg_temp.id('file' || i), pg_temp.name(i), 1, 1, 1, pg_temp.at(i), '192.0.2.1'
        from generate_series(1, 300000) i`,
      link_session: `(id, hash, link_key, generation, created_at, last_seen_at, idle_ends_at, ends_at, client)
        select pg_temp.id('visit' || i), pg_temp.id('hash' || i), ${linkOf('i')}, 0, pg_temp.at(i), pg_temp.at(i),
          '2999-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z', '192.0.2.1' from generate_series(1, 100000) i`,
      link_ask: `(id, link_key, wants, created_at)
        select pg_temp.id('ask' || i), pg_temp.id('link' || i), 'time', pg_temp.at(i) from generate_series(1, 20000) i`,
      link_reservation: `(key, user_id, kind, directory_id, code_mac, ends_at)
        select pg_temp.id('reserved' || i), ${userOf('i')}, 'INITIALISE', ${directoryOf('i')}, '', '2999-01-01T00:00:00.000Z'
        from generate_series(1, 5000) i`,
      receipt: `(id, company_id, link_key, session_id, files_hash, issued_at, total_files, total_bytes, body, key_id, signature)
        select pg_temp.id('receipt' || i), ${companyOf('i')}, ${linkOf('i')}, pg_temp.id('visit' || i), 'x', pg_temp.at(i), 1, 1, '{}', '', ''
        from generate_series(1, 50000) i`,
      session: `(id, user_id, generation, created_at, last_seen_at, idle_ends_at, ends_at, restore_number, restored_at, client, agent)
        select pg_temp.id('session' || i), pg_temp.id('user' || i % 2000), 0, pg_temp.at(i), pg_temp.at(i), '2999-01-01T00:00:00.000Z',
          '2999-01-01T00:00:00.000Z', 0, pg_temp.at(i), '192.0.2.1', '' from generate_series(1, 40000) i`,
      session_token: `(hash, session_id, created_at)
        select pg_temp.id('token' || i), pg_temp.id('session' || i), pg_temp.at(i) from generate_series(1, 40000) i`,
      password_reset: `(id, user_id, generation, ends_at)
        select pg_temp.id('reset' || i), ${userOf('i')}, 0, '2999-01-01T00:00:00.000Z' from generate_series(1, 20000) i`,
      throttle: `(bucket, tries, ends_at)
        select pg_temp.id('bucket' || i), 1, '2999-01-01T00:00:00.000Z' from generate_series(1, 100000) i`,
      outbox: `(id, letter, recipient, about, state, created_at, ends_at, tries, refusals)
        select pg_temp.id('mail' || i), 'link_details', 'guest' || i || '@globex.example', '', 'sent',
          to_char(now() - i % 100 * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'), '2999-01-01T00:00:00.000Z', 1, 0
        from generate_series(1, 100000) i`,
      upload: `(id, directory_id, user_id, name, conflict, size, metadata, finished_at, ends_at)
        select pg_temp.id('upload' || i), ${directoryOf('i')}, pg_temp.id('user' || i % 2000), pg_temp.name(i), 'keep', 1, '',
          case when i % 20 > 0 then pg_temp.at(i) end, '2999-01-01T00:00:00.000Z' from generate_series(1, 20000) i`,
      audit: `(seq, at, action, outcome, who, person_id, person, client, company_id, name, link_key, directory_id, file_id, times, mac)
        select 1000000 + i, pg_temp.at(i), (array['file.uploaded', 'file.downloaded', 'link.opened', 'session.started', 'file.deleted',
            'link.created', 'session.ended'])[i % 7 + 1], case when i % 50 = 0 then 'refused' else 'done' end, 'staff', ${userOf('i')},
          'user', '192.0.2.1', ${companyOf('i')}, pg_temp.name(i), case when i % 5 = 0 then ${linkOf('i')} end, ${directoryOf('i')},
          pg_temp.id('file' || i), 1, '' from generate_series(1, 1000000) i`,
    }
    // Updating the indexes for each of a million rows would take minutes, so they are dropped and rebuilt at the end.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid::regclass::text in ('file', 'audit', 'link', 'link_event')
          and indexrelid not in (select conindid from pg_constraint)`,
    )
    for (const { name } of indexes) await execute(`drop index ${name}`)
    for (const [table, rows] of Object.entries(tables)) await execute(`insert into "${table}" ${rows}`)
    for (const { definition } of indexes) await execute(definition)
    await execute(`update audit_head set seq = (select max(seq) from audit)`)
    await execute(
      `update directory set files = ${1_000_000 / everyNth}, bytes = ${1_000_000 / everyNth} where id = '${directory}'`,
    )
    for (const statement of countTotals) await execute(statement)
    await execute('vacuum analyze')
  } finally {
    await client.end()
  }
}
