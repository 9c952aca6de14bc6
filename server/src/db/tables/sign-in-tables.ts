import type { Counter } from '../counter.ts'

/** The tables for all sign-in methods except passwords. */
export interface SignInTables {
  /** The authenticator app of a user. */
  totp: {
    user_id: string
    /** Sealed. */
    secret: string
    created_at: string
    /** Null until the user has entered a code from the app. Until then it has no effect. */
    confirmed_at: string | null
    /** The time step of the last code that was accepted. No code of this or an earlier step is accepted again. */
    last_step: number
  }
  passkey: {
    id: string
    user_id: string
    /** The id that the authenticator chose, in base64url like the public key. */
    credential_id: string
    /** The host of PUBLIC_URL when it was created. It works only while PUBLIC_URL has this host. */
    rp_id: string
    public_key: string
    /** Its signature counter. Zero if it has none. */
    counter: Counter
    /** Its transports, separated by commas. */
    transports: string
    name: string
    created_at: string
    last_used_at: string | null
  }
  /** A recovery code that has not been used. */
  recovery_code: { user_id: string; hash: string }
  /** The removal of a user's second factors, which an admin has requested and which has not taken effect yet. */
  factor_reset: { user_id: string; id: string; requested_by: string; requested_at: string; due_at: string }
  /** A browser in which a user has signed in before. */
  browser: {
    user_id: string
    /** The hash of its cookie's value. */
    hash: string
    last_seen_at: string
    /** Until when the user needs no second factor in it. Valid only while the user has the generation in `trusted_generation`. */
    trusted_until: string | null
    trusted_generation: number | null
  }
  /** A sign-in, or a registration, that has begun but is not complete. */
  challenge: {
    /** The hash of the secret that the browser holds. */
    hash: string
    /** `passkey`: a challenge that was used, stored so that it can't be used again. */
    kind: 'second_factor' | 'passkey' | 'provider' | 'provider_link' | 'operator'
    user_id: string | null
    /** JSON: see the feature that created it. */
    data: string
    ends_at: string
  }
  /** A provider that people can sign in with by OpenID Connect. */
  provider: {
    id: string
    name: string
    issuer: string
    client_id: string
    /** Sealed. */
    client_secret: string | null
    /** JSON: who may sign in, and what new users get. */
    rules: string
    version: number
    created_at: string
    disabled_at: string | null
  }
  /** An account at a provider, and the user who signs in with it. */
  provider_account: {
    issuer: string
    subject: string
    user_id: string
    email: string
    created_at: string
    last_used_at: string | null
  }
  /** The account at a provider with which a session began, so that the provider can end the session. */
  provider_session: {
    session_id: string
    provider_id: string
    issuer: string
    subject: string
    sid: string | null
    /** Sealed. Tells the provider whom to sign out. */
    id_token: string | null
  }
}
