import { t } from '../i18n/t.ts'
import { defaultCompany } from './default-company.ts'

/** Returns why nothing can be uploaded to or shared from a company’s directory; undefined if the company isn’t archived. */
export const getArchivedReason = ({ archived, client }: { archived: boolean; client: string | null }): string | undefined =>
  archived
    ? t('{company} is archived, so nothing can be added, moved or shared.', { company: client ?? defaultCompany })
    : undefined
