import { createIcon } from './entry-icons.tsx'

// The icons that sign-in and access-code pages need are in entry-icons.tsx, so that these pages load only those.
export {
  AlertIcon,
  CheckIcon,
  ChevronDownIcon,
  ClockIcon,
  CloseIcon,
  EyeIcon,
  EyeOffIcon,
  KeyIcon,
  LockIcon,
  RefreshIcon,
} from './entry-icons.tsx'

export const ArchiveIcon = createIcon(
  <path d="M3 3.500h14v4H3zM4.5 7.500v7.500A1.5 1.5 0 0 0 6 16.500h8a1.5 1.5 0 0 0 1.5-1.500V7.500M8 10.500h4" />,
)
export const ArrowIcon = createIcon(<path d="M4 10h12m-4.500-4.500L16 10l-4.500 4.500" />)
export const ChevronLeftIcon = createIcon(<path d="M12 5.500 7.500 10l4.500 4.500" />)
export const ChevronRightIcon = createIcon(<path d="M8 5.500 12.500 10 8 14.500" />)
export const CopyIcon = createIcon(
  <path d="M8.5 7h6.5a1.5 1.5 0 0 1 1.5 1.5V15a1.5 1.5 0 0 1-1.5 1.5H8.5A1.5 1.5 0 0 1 7 15V8.500A1.5 1.5 0 0 1 8.5 7ZM13 7V5a1.5 1.5 0 0 0-1.5-1.500H5A1.5 1.5 0 0 0 3.5 5v6.500A1.5 1.5 0 0 0 5 13h2" />,
)
export const DashboardIcon = createIcon(
  <path d="M3.5 3.500h5v6h-5zM11.5 3.500h5v3.500h-5zM11.5 10h5v6.500h-5zM3.5 12.500h5v4h-5z" />,
)
export const DownloadIcon = createIcon(
  <path d="M10 3.500v9m-3.5-3.500L10 12.5 13.5 9M3.5 13.500V15A1.5 1.5 0 0 0 5 16.500h10a1.5 1.5 0 0 0 1.5-1.500v-1.5" />,
)
export const ExternalIcon = createIcon(
  <path d="M11.5 3.500h5v5M16.5 3.500 9.500 10.500M14.5 11.500V15a1.5 1.5 0 0 1-1.5 1.500H5A1.5 1.5 0 0 1 3.5 15V7A1.5 1.5 0 0 1 5 5.500h3.5" />,
)
export const FileIcon = createIcon(
  <path d="M11.5 2.500H6A1.5 1.5 0 0 0 4.5 4v12A1.5 1.5 0 0 0 6 17.500h8a1.5 1.5 0 0 0 1.5-1.500V6.500l-4-4Zm0 0v4h4" />,
)
export const FolderIcon = createIcon(
  <path d="M2.5 14.500v-9A1.5 1.5 0 0 1 4 4h3.600l2 2.500H16A1.5 1.5 0 0 1 17.5 8v6.500A1.5 1.5 0 0 1 16 16H4a1.5 1.5 0 0 1-1.5-1.500Z" />,
)
export const FolderPlusIcon = createIcon(
  <path d="M2.5 14.500v-9A1.5 1.5 0 0 1 4 4h3.600l2 2.500H16A1.5 1.5 0 0 1 17.5 8v6.500A1.5 1.5 0 0 1 16 16H4a1.5 1.5 0 0 1-1.5-1.500ZM10 9v4.500M7.75 11.250h4.500" />,
)
export const GridIcon = createIcon(<path d="M3.5 3.500h5v5h-5zM11.5 3.500h5v5h-5zM3.5 11.500h5v5h-5zM11.5 11.500h5v5h-5z" />)
export const GlobeIcon = createIcon(
  <>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M2.75 10h14.5M10 2.75c4 4.5 4 10 0 14.5M10 2.75c-4 4.500-4 10 0 14.5" />
  </>,
)
export const ImageIcon = createIcon(
  <>
    <path d="M4 3.500h12A1.5 1.5 0 0 1 17.5 5v10a1.5 1.5 0 0 1-1.5 1.500H4A1.5 1.5 0 0 1 2.5 15V5A1.5 1.5 0 0 1 4 3.500ZM3 14l4-4 3 3 2.500-2.500L17 15" />
    <circle cx="13" cy="7.25" r="1.25" />
  </>,
)
export const InfoIcon = createIcon(
  <>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 9.250v4M10 6.600v.1" />
  </>,
)
export const KeyboardIcon = createIcon(
  <path d="M4 5.500h12A1.5 1.5 0 0 1 17.5 7v6a1.5 1.5 0 0 1-1.5 1.500H4A1.5 1.5 0 0 1 2.5 13V7A1.5 1.5 0 0 1 4 5.500ZM5.500 8.500h.01M8.500 8.500h.01M11.500 8.500h.01M14.500 8.500h.01M7 11.500h6" />,
)
export const LinkIcon = createIcon(
  <path d="M8.5 11.500a3.2 3.2 0 0 0 4.6 0l3-3a3.25 3.25 0 0 0-4.6-4.600l-1.2 1.200M11.5 8.500a3.2 3.2 0 0 0-4.6 0l-3 3a3.25 3.25 0 0 0 4.6 4.600l1.2-1.2" />,
)
export const ListIcon = createIcon(<path d="M7.5 5.500h9M7.5 10h9M7.5 14.500h9M3.75 5.500h.01M3.75 10h.01M3.75 14.500h.01" />)
export const MailIcon = createIcon(
  <path d="M4 4.500h12A1.5 1.5 0 0 1 17.5 6v8a1.5 1.5 0 0 1-1.5 1.500H4A1.5 1.5 0 0 1 2.5 14V6A1.5 1.5 0 0 1 4 4.500ZM3 6l7 5 7-5" />,
)
export const MenuIcon = createIcon(<path d="M3.5 5.500h13M3.5 10h13M3.5 14.500h13" />)
export const MinusIcon = createIcon(<path d="M4 10h12" />)
export const MonitorIcon = createIcon(
  <path d="M4 3.500h12A1.5 1.5 0 0 1 17.5 5v7.500A1.5 1.5 0 0 1 16 14H4a1.5 1.5 0 0 1-1.5-1.500V5A1.5 1.5 0 0 1 4 3.500ZM10 14v3M7 17h6" />,
)
export const MoonIcon = createIcon(<path d="M16.5 11.800A6.75 6.75 0 0 1 8.2 3.500a6.75 6.75 0 1 0 8.3 8.300Z" />)
export const MoreIcon = createIcon(<path strokeWidth={2.25} d="M4.5 10h.01M10 10h.01M15.5 10h.01" />)
export const MoveIcon = createIcon(
  <path d="M8.5 16H4a1.5 1.5 0 0 1-1.5-1.500v-9A1.5 1.5 0 0 1 4 4h3.600l2 2.500H16A1.5 1.5 0 0 1 17.5 8v2M11 13.500h6.500m-2.500-2.500 2.500 2.500-2.500 2.500" />,
)
export const PauseIcon = createIcon(<path d="M7 5v10M13 5v10" />)
export const PencilIcon = createIcon(<path d="M13.5 3.500l3 3L7 16l-3.500.5L4 13l9.500-9.500ZM11.5 5.500l3 3" />)
export const PeopleIcon = createIcon(
  <>
    <circle cx="7.5" cy="7" r="3" />
    <path d="M2 16.500c0-2.9 2.4-4.5 5.5-4.500s5.5 1.6 5.5 4.500M13 4.300a3 3 0 0 1 0 5.400M15 12.500c1.8.6 3 2 3 4" />
  </>,
)
export const PersonIcon = createIcon(
  <>
    <circle cx="10" cy="6.75" r="3.25" />
    <path d="M3.75 17c0-3.1 2.8-4.75 6.25-4.750S16.25 13.9 16.25 17" />
  </>,
)
export const PlayIcon = createIcon(
  <>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M8.250 6.900v6.200l5-3.100-5-3.100Z" />
  </>,
)
export const PlusIcon = createIcon(<path d="M10 4v12M4 10h12" />)
export const ResumeIcon = createIcon(<path d="M7 4.500v11l8.500-5.500L7 4.500Z" />)
export const SearchIcon = createIcon(
  <>
    <circle cx="9" cy="9" r="5.5" />
    <path d="m13 13 3.5 3.5" />
  </>,
)
export const SettingsIcon = createIcon(
  <>
    <path d="M2.500 6h8M15.500 6h2M2.500 14h2M9.500 14h8" />
    <circle cx="13" cy="6" r="2.500" />
    <circle cx="7" cy="14" r="2.500" />
  </>,
)
export const PrinterIcon = createIcon(
  <path d="M6.500 7V3.500h7V7M6.500 13.500H5A1.5 1.5 0 0 1 3.5 12V8.500A1.5 1.5 0 0 1 5 7h10a1.5 1.5 0 0 1 1.5 1.500V12a1.5 1.5 0 0 1-1.5 1.500h-1.5M6.500 11.500h7v5h-7Z" />,
)
export const SheetIcon = createIcon(
  <path d="M5 3.500h10A1.5 1.5 0 0 1 16.5 5v10a1.5 1.5 0 0 1-1.5 1.500H5A1.5 1.5 0 0 1 3.5 15V5A1.5 1.5 0 0 1 5 3.500ZM3.5 8h13M3.5 12.250h13M8.500 8v8.500" />,
)
export const SignOutIcon = createIcon(
  <path d="M8 3.500H5A1.5 1.5 0 0 0 3.5 5v10A1.5 1.5 0 0 0 5 16.500h3M8 10h8.500M13.5 7l3 3-3 3" />,
)
export const SortDownIcon = createIcon(<path d="M10 4.500v11m-4-4 4 4 4-4" />)
export const SortIcon = createIcon(<path d="m6.5 7.5 3.5-3.5 3.5 3.500M6.5 12.500l3.5 3.5 3.5-3.5" />)
export const SortUpIcon = createIcon(<path d="M10 15.500v-11m-4 4 4-4 4 4" />)
export const SunIcon = createIcon(
  <>
    <circle cx="10" cy="10" r="3.25" />
    <path d="M10 2.500v1.250M10 16.250v1.250M2.5 10h1.250M16.25 10h1.250M4.7 4.700l.9.9M14.4 14.400l.9.9M4.7 15.300l.9-.9M14.4 5.600l.9-.9" />
  </>,
)
export const TextIcon = createIcon(
  <path d="M11.5 2.500H6A1.5 1.5 0 0 0 4.5 4v12A1.5 1.5 0 0 0 6 17.500h8a1.5 1.5 0 0 0 1.5-1.500V6.500l-4-4Zm0 0v4h4M7.500 10.500h5M7.500 13.500h5" />,
)
export const TrashIcon = createIcon(
  <path d="M3.5 5.500h13M8 5.500V4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.500M5 5.500l.7 10a1.5 1.5 0 0 0 1.5 1.500h5.600a1.5 1.5 0 0 0 1.5-1.500l.7-10M8.3 9v4.500M11.7 9v4.5" />,
)
export const UndoIcon = createIcon(<path d="M7 4 3.500 7.500 7 11M3.500 7.500H12a4.250 4.250 0 0 1 0 8.500H8" />)
export const UploadIcon = createIcon(
  <path d="M10 12.500v-9m-3.5 3.500L10 3.5 13.5 7M3.5 13.500V15A1.5 1.5 0 0 0 5 16.500h10a1.5 1.5 0 0 0 1.5-1.500v-1.5" />,
)
export const WebhookIcon = createIcon(
  <>
    <circle cx="10" cy="5" r="2.25" />
    <circle cx="4.75" cy="14.25" r="2.25" />
    <circle cx="15.25" cy="14.25" r="2.25" />
    <path d="m8.900 7-3 5.250M11.100 7l3 5.250M7 14.250h6" />
  </>,
)
