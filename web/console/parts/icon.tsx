/** Icons as paths of 16 by 16, drawn in the colour of the text. */
const paths = {
  overview: 'M2 9.5h4V14H2zM8 2h6v5H8zM2 2h4v5.5H2zM8 9h6v5H8z',
  rooms: 'M3 6.5v3M6 4v8M9 2.5v11M12 5v6M14.5 7v2M1 7.2v1.6',
  cases: 'M2.5 4.5h11v9h-11zM5.5 4.5v-2h5v2M2.5 8.5h11',
  people: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14.5c.5-3 2.6-4.5 5.5-4.5s5 1.5 5.5 4.5',
  sanctions: 'M8 14.5A6.5 6.5 0 1 0 8 1.500a6.500 6.500 0 0 0 0 13zM3.500 3.500l9 9',
  transcripts: 'M2.5 2.5h11v11h-11zM5 5.500h6M5 8h6M5 10.500h3.500',
  gatherings:
    'M5.500 8a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM1.500 13.500c.300-2.300 1.800-3.500 4-3.500s3.700 1.200 4 3.500M10.500 3.200a2.500 2.500 0 0 1 0 4.600M11.500 10.300c1.700.300 2.700 1.400 3 3.200',
  administration:
    'M2 4.500h5M11 4.500h3M2 11.500h3M9 11.500h5M9 6.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 13.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  developers: 'M5.500 4 2 8l3.500 4M10.500 4 14 8l-3.500 4M9 2.500l-2 11',
  gameplay:
    'M4.500 2.500h7v4a3.500 3.500 0 0 1-7 0zM4.500 3.500h-3c0 3 1 4 3 4M11.500 3.500h3c0 3-1 4-3 4M8 10v3M5 13.500h6',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.700 10.700 14 14',
  play: 'M4.5 2.5v11l9-5.500z',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  done: 'M3 8.500l3.500 3.500L13 4.500',
  menu: 'M2 4h12M2 8h12M2 12h12',
  mic: 'M8 10.500A2.500 2.500 0 0 0 10.500 8V4a2.500 2.500 0 0 0-5 0v4A2.500 2.500 0 0 0 8 10.500zM3.500 8a4.500 4.500 0 0 0 9 0M8 12.500v2',
  muted:
    'M5.500 5.500V8a2.500 2.500 0 0 0 4 2M10.500 7V4a2.500 2.500 0 0 0-4.600-1.400M3.500 8a4.500 4.500 0 0 0 7.400 3.400M8 12.500v2M2 2l12 12',
  bot: 'M3 6h10v7.500H3zM8 6V3M6 9v1.500M10 9v1.500',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.500 14.500c.500-3 2.600-4.500 5.500-4.500s5 1.500 5.500 4.500',
} as const;
export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);
