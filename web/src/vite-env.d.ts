interface ImportMetaEnv {
  /** The origin of the API, if it is not the same as the web app's. */
  readonly VITE_API_URL?: string
}
