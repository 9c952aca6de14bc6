import type { ReactNode } from 'react'

/** Creates an icon: 20 px, 1.5 px strokes in the text color. Icons are decorative, so they are hidden from screen readers. */
export function createIcon(drawing: ReactNode) {
  return function Icon({ size = 20 }: { size?: number }) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {drawing}
      </svg>
    )
  }
}

export const AlertIcon = createIcon(<path d="M10 3 18 16.5H2L10 3ZM10 8.5v3.5M10 14.4v.1" />)
export const CheckIcon = createIcon(<path d="m4.5 10.5 3.5 3.5 7.5-8" />)
export const ChevronDownIcon = createIcon(<path d="m5.5 8 4.5 4.5L14.5 8" />)
export const ClockIcon = createIcon(
  <>
    <circle cx="10" cy="10" r="7.25" />
    <path d="M10 5.750V10l2.750 2" />
  </>,
)
export const CloseIcon = createIcon(<path d="m5.5 5.5 9 9m0-9-9 9" />)
export const EyeIcon = createIcon(
  <>
    <path d="M2 10s2.8-5.5 8-5.500S18 10 18 10s-2.8 5.5-8 5.500S2 10 2 10Z" />
    <circle cx="10" cy="10" r="2.25" />
  </>,
)
export const EyeOffIcon = createIcon(
  <path d="M8 4.700A8 8 0 0 1 10 4.500C15.2 4.5 18 10 18 10a13 13 0 0 1-2.2 2.900M12.6 14.900a8 8 0 0 1-2.6.600C4.8 15.5 2 10 2 10a13 13 0 0 1 3.4-3.900M8.4 8.400a2.25 2.25 0 0 0 3.2 3.200M3 3l14 14" />,
)
export const KeyIcon = createIcon(
  <>
    <circle cx="6.5" cy="13.5" r="3.5" />
    <path d="m9 11 7.5-7.500M13.5 6.500l2.5 2.5" />
  </>,
)
export const LockIcon = createIcon(
  <path d="M5.5 8.500h9A1.5 1.5 0 0 1 16 10v5.500a1.5 1.5 0 0 1-1.5 1.500h-9A1.5 1.5 0 0 1 4 15.500V10a1.5 1.5 0 0 1 1.5-1.500Zm1.25 0V6.250a3.25 3.25 0 0 1 6.5 0V8.5" />,
)
export const RefreshIcon = createIcon(
  <path d="M16.25 8.500A6.5 6.5 0 0 0 4.6 6.400L3 8M3 4v4h4M3.75 11.500a6.5 6.5 0 0 0 11.65 2.100L17 12M17 16v-4h-4" />,
)
