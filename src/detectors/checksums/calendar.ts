/** Whether such a day exists; `month` and `day` count from 1. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** Whether such a day exists in the year 1900 + `year` or 2000 + `year`. */
export function isShortDate(year: number, month: number, day: number): boolean {
  return isCalendarDate(1900 + year, month, day) || isCalendarDate(2000 + year, month, day);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
