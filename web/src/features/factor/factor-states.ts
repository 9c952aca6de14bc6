import type { Factors } from '@neptune/contract'

/** Returns whether the user can’t do anything else before they set up a second factor. */
export const mustSetUpFactor = ({ is_required, required_from, has_second_factor }: Factors): boolean =>
  is_required && required_from === null && !has_second_factor
