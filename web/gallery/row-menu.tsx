import { MoreIcon } from '../src/components/icons.tsx'
import { Menu } from '../src/components/menu/menu.tsx'

export const RowMenu = ({ name }: { name: string }) => (
  <Menu
    label={`Actions for ${name}`}
    align="end"
    trigger={<MoreIcon />}
    items={[
      { label: 'Copy link', onSelect: () => {} },
      { label: 'Rename', onSelect: () => {}, disabledReason: 'Only its creator can rename it.' },
      'separator',
      { label: 'Delete', danger: true, onSelect: () => {} },
    ]}
  />
)
