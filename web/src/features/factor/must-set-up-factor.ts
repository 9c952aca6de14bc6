import type { Factors } from '@neptune/contract'

/** Returns whether the user must set up a second factor before they can do anything else. */
export const mustSetUpFactor = ({ is_required, required_from, has_second_factor }: Factors): boolean =>
  is_required && required_from === null && !has_second_factor
