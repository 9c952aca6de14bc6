import type { Factors } from '@neptune/contract'

/** Returns whether the user has a second factor. Recovery codes exist only together with one. */
export const hasSecondFactor = ({ totp_since, recovery_codes }: Factors): boolean => totp_since !== null || recovery_codes > 0

/** Returns whether the user can’t do anything else before they set up a second factor. */
export const mustSetUpFactor = (factors: Factors): boolean =>
  factors.is_required && factors.required_from === null && !hasSecondFactor(factors)
