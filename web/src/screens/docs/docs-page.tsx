import { Link } from 'react-router'
import { openApiUrl } from '../../api/openapi.ts'
import { QueryProvider } from '../../api/query-provider.tsx'
import { BrandMark } from '../../components/brand-mark.tsx'
import { classNames } from '../../components/class-names.ts'
import { PageHeader } from '../../components/layout/page-header.tsx'
import { t } from '../../i18n/t.ts'
import { tNodes } from '../../i18n/t-nodes.tsx'
import { usePageTitle } from '../../lib/page/page-title.ts'
import { paths } from '../../paths.ts'
import { ApiDocs } from './api-docs.tsx'
import css from './docs-page.module.css'

const c = classNames(css)

export function DocsPage() {
  usePageTitle(t('API'))
  return (
    <>
      <header className={c('bar')}>
        <Link to={paths.start} className={c('home')}>
          <BrandMark place="bar" />
        </Link>
      </header>
      <main tabIndex={-1} className={c('page')}>
        <PageHeader
          name={t('API')}
          purpose={tNodes('All API endpoints. Machine-readable version: {file}', { file: <a href={openApiUrl}>openapi.json</a> })}
        />
        <QueryProvider>
          <ApiDocs />
        </QueryProvider>
      </main>
    </>
  )
}
