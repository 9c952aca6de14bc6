import type { Successor } from '@neptune/contract'
import type { ComponentProps, ReactNode } from 'react'
import type { FieldErrors } from '../../api/form-errors.ts'
import { ChoiceField } from '../../components/form/choice-field.tsx'
import { SuccessorField, type SuccessorFilter } from '../../features/user/successor-field.tsx'
import { t } from '../../i18n/t.ts'

/** What happens to the links of a user: someone takes them over, or another choice that the dialog offers. */
export interface OwnedLinksDraft<Other extends string> {
  links: 'hand-over' | Other
  /** Who takes them over. */
  successor: Successor | undefined
}

interface OwnedLinksFieldsProps<Other extends string> {
  /** The id of the user who owns the links. */
  user: string
  /** Which of their links are handed over, if not all. */
  links?: SuccessorFilter | undefined
  choices: ComponentProps<typeof ChoiceField<'hand-over' | Other>>['choices']
  draft: OwnedLinksDraft<Other>
  errors: FieldErrors
  /** Names the links. */
  children: ReactNode
  onChange: (changes: Partial<OwnedLinksDraft<Other>>) => void
}

/** Chooses what happens to the links of a user who can no longer sign in, or loses access to the links’ companies. */
export const OwnedLinksFields = <Other extends string>(props: OwnedLinksFieldsProps<Other>) => (
  <>
    <ChoiceField
      label={t('Their links')}
      name="links"
      choices={props.choices}
      value={props.draft.links}
      error={props.errors['links']}
      onChange={(links) => props.onChange({ links })}
    />
    {props.children}
    {props.draft.links === 'hand-over' && (
      <SuccessorField
        user={props.user}
        links={props.links}
        name="successor"
        chosen={props.draft.successor}
        error={props.errors['successor']}
        onChange={(successor) => props.onChange({ successor })}
      />
    )}
  </>
)

export const validateOwnedLinks = ({ links, successor }: OwnedLinksDraft<string>): FieldErrors =>
  links === 'hand-over' && !successor ? { successor: t('Choose who takes over the links.') } : {}

/** Returns the id of the new owner, if the links are handed over. */
export const getNewOwner = ({ links, successor }: OwnedLinksDraft<string>): string | undefined =>
  links === 'hand-over' ? successor?.id : undefined

/** Says how many links have a new owner, after handing them over. */
export const describeHandOver = (links: number, successor: Successor | undefined): string =>
  links > 0 ? ` ${t('{n} links now belong to {owner}.', { n: links, owner: successor?.name ?? '' })}` : ''
