import 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server to make databases on; empty for SQLite. */
    postgresUrl: string
    /** An object store, as the settings name it, and a second one that can refuse to overwrite. */
    s3: Record<string, string>
    smallS3: Record<string, string>
  }
}
