import type { Args, api, UserRow } from '@neptune/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FieldErrors } from '../../api/form-errors.ts'
import { AffectedLinks, affectedLinksQuery } from '../../features/link/affected-links.tsx'
import { handOverLinks } from '../../features/link/hand-over-links.ts'
import { t } from '../../i18n/t.ts'
import { getNewOwner, type OwnedLinksDraft, OwnedLinksFields, validateOwnedLinks } from './owned-links-fields.tsx'

/** Nothing is chosen at first, so that nobody makes links stop working without noticing. */
export type LostLinksDraft = OwnedLinksDraft<'pause' | ''>

export const emptyLostLinks: LostLinksDraft = { links: '', successor: undefined }

interface LostLinks {
  /** Why the change can’t be saved yet. */
  pendingReason: string | undefined
  validate: (draft: LostLinksDraft) => FieldErrors
  /** Returns a function that hands over the links, if that is chosen. */
  getHandOver: (draft: LostLinksDraft) => (() => Promise<number>) | undefined
  /** Names the links and asks what happens to them. */
  render: (draft: LostLinksDraft, form: { errors: FieldErrors; change: (changes: Partial<LostLinksDraft>) => void }) => ReactNode
}

/** Finds the links of a user that stop working with less access. `reduced` is undefined if the access isn’t reduced. */
export function useLostLinks({ id, name }: UserRow, reduced: Args<typeof api.user.changeAccess>['body'] | undefined): LostLinks {
  const target = { owner: id, ...reduced }
  const query = useQuery({ ...affectedLinksQuery(target), enabled: reduced !== undefined, placeholderData: keepPreviousData })
  const hasLinks = reduced !== undefined && (query.data?.count ?? 0) > 0
  const render: LostLinks['render'] = (draft, { errors, change }) => {
    if (!reduced) return null
    const links = (
      <AffectedLinks
        target={target}
        describe={(n) => t('{n} links stop working, because {name} will no longer be allowed to share them.', { n, name })}
        isHandedOver={draft.links === 'hand-over'}
      />
    )
    if (!hasLinks) return links
    return (
      <OwnedLinksFields
        user={id}
        links={reduced}
        choices={[
          {
            value: 'pause',
            label: t('Pause'),
            hint: t('They work again when someone takes them over, or when you give {name} access again.', { name }),
          },
          { value: 'hand-over', label: t('Hand over'), hint: t('The links keep working, with the same codes.') },
        ]}
        draft={draft}
        errors={errors}
        onChange={change}
      >
        {links}
      </OwnedLinksFields>
    )
  }
  return {
    pendingReason: reduced && (query.isPending || query.isPlaceholderData) ? t('Wait a moment.') : undefined,
    validate(draft) {
      if (!hasLinks) return {}
      return draft.links === '' ? { links: t('Choose what happens to these links.') } : validateOwnedLinks(draft)
    },
    getHandOver(draft) {
      const to = hasLinks ? getNewOwner(draft) : undefined
      return to === undefined ? undefined : () => handOverLinks({ from: id, to, ...reduced })
    },
    render,
  }
}
