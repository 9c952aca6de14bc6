interface ImportMetaEnv {
  /** Where the API lives, when not at the web's own origin. */
  readonly VITE_API_URL?: string
}
