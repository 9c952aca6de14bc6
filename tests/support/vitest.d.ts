import 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a PostgreSQL server to create databases on; empty for SQLite. */
    postgresUrl: string
    /** The settings of an object store. */
    s3: Record<string, string>
    /** The settings of a second object store, which supports conditional writes. */
    smallS3: Record<string, string>
  }
}
