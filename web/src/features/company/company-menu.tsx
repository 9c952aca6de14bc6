import type { CompanyRow } from '@neptune/contract'
import { ArchiveIcon, DashboardIcon, ImageIcon, MoreIcon, PencilIcon, TextIcon, UndoIcon } from '../../components/icons.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import type { RowMenu } from '../../components/table/use-row-menu.tsx'
import { t } from '../../i18n/t.ts'

/** What admins can do with a company. */
export interface CompanyActions {
  rename: (company: CompanyRow) => void
  setQuota: (company: CompanyRow) => void
  editNote: (company: CompanyRow) => void
  editBrand: (company: CompanyRow) => void
  archive: (company: CompanyRow) => void
  restore: (company: CompanyRow) => void
  /** Returns why a company can’t be archived; undefined if it can. */
  getArchiveDisabledReason: (company: CompanyRow) => string | undefined
}

interface CompanyMenuProps {
  company: CompanyRow
  /** Differs from the labels of all other companies. */
  label: string
  actions: CompanyActions
}

export const CompanyMenu = ({ company, label, actions }: CompanyMenuProps) => (
  <Menu {...createCompanyMenu(company, actions, label)} align="end" trigger={<MoreIcon />} />
)

/** Creates the menu of a company, for the “more” button and for the context menu. */
export const createCompanyMenu = (company: CompanyRow, actions: CompanyActions, name = company.name): RowMenu => ({
  label: t('Actions for {name}', { name }),
  items: [
    { label: t('Rename'), icon: <PencilIcon />, onSelect: () => actions.rename(company) },
    { label: t('Set quota'), icon: <DashboardIcon />, onSelect: () => actions.setQuota(company) },
    { label: t('Edit note'), icon: <TextIcon />, onSelect: () => actions.editNote(company) },
    { label: t('Edit brand'), icon: <ImageIcon />, onSelect: () => actions.editBrand(company) },
    'separator',
    company.archived_at === null
      ? {
          label: t('Archive (a company)'),
          icon: <ArchiveIcon />,
          disabledReason: actions.getArchiveDisabledReason(company),
          onSelect: () => actions.archive(company),
        }
      : { label: t('Restore'), icon: <UndoIcon />, onSelect: () => actions.restore(company) },
  ],
})
