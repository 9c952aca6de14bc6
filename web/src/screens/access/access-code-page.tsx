import type { LinkType } from '@neptune/contract'
import type { ReactNode } from 'react'
import { classNames } from '../../components/class-names.ts'
import { LockIcon } from '../../components/entry-icons.tsx'
import { CardLayout } from '../../components/layout/card-layout.tsx'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { organisation, useBrand } from '../../lib/brand.ts'
import { usePageTitle } from '../../lib/page/page-title.ts'
import css from './access-code-page.module.css'
import type { LinkInfo } from './use-link-info.ts'

const c = classNames(css)

interface AccessCodePageProps {
  accessKey: string
  info: LinkInfo
  children: ReactNode
}

/**
 * The page where recipients enter their code. It looks like an invitation: the name of the sender comes first, in large letters. The title
 * and the key, which the specification requires, come last, because recipients mistook the key for the code.
 */
export function AccessCodePage({ accessKey, info, children }: AccessCodePageProps) {
  const title = t('Highly Secured Directory Protocol')
  usePageTitle(title)
  return (
    <CardLayout lead={<Invitation info={info} />} isLoading={info.kind === 'loading'}>
      <div className={c('content')}>
        {children}
        <div className={c('protocol')}>
          <LockIcon size={16} />
          <h1 className={c('title')}>{title}</h1>
          <p className={c('key')}>{tNodes('Key {key}', { key: <code>{accessKey}</code> })}</p>
        </div>
      </div>
    </CardLayout>
  )
}

/** Says who shares what, and shows the organisation’s welcome text. */
function Invitation({ info }: { info: LinkInfo }) {
  const { name } = useBrand()
  // Several files have the same text as a directory.
  const type = info.kind !== 'known' ? undefined : info.sharesSeveralFiles ? 'LINK_DIRECTORY' : info.type
  return (
    <>
      <h2 className={c('invitation', info.kind === 'loading' && 'unknown')}>
        {name === null ? describeShared(type) : describeSharedBy(name, type)}
      </h2>
      {organisation?.welcome && <p className={c('welcome')}>{organisation.welcome}</p>}
    </>
  )
}

function describeSharedBy(name: string, type: LinkType | undefined): string {
  if (type === 'LINK_FILE') return t('{name} shared a file with you', { name })
  if (type === 'LINK_EDITABLE_DIRECTORY') return t('{name} invites you to exchange files', { name })
  return t('{name} shared files with you', { name })
}

/** Says what is shared, if the organisation has no name. */
function describeShared(type: LinkType | undefined): string {
  if (type === 'LINK_FILE') return t('A file has been shared with you')
  if (type === 'LINK_EDITABLE_DIRECTORY') return t('You’re invited to exchange files')
  return t('Files have been shared with you')
}
