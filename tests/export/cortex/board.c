/* What a check of exported code needs of a board: a reset, the floating-point unit, and a printf for what such a check says. Words leave by
   semihosting, the debugger's way, which QEMU answers. There is no heap and no operating system: what asks for one does not link. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum { WRITE_LETTER = 0x03, EXIT = 0x20, EXITED = 0x20026 };

int main(void);
int printf(const char *format, ...);
void reset(void);

extern uint32_t data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];
extern const uint32_t data_stored[];

static void host(uint32_t operation, const void *arguments)
{
  register uint32_t r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = arguments;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void leave(uint32_t status)
{
  const uint32_t arguments[2] = {EXITED, status};
  host(EXIT, arguments);
  for (;;) {
  }
}

static void fail(void) { leave(99); }

void reset(void)
{
  uint32_t *to;
  const uint32_t *from = data_stored;
  for (to = data_begin; to < data_end; ++to) *to = *from++;
  for (to = bss_begin; to < bss_end; ++to) *to = 0;
  *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20; /* CPACR: the floating-point unit may be used */
  __asm__ volatile("dsb\n isb");
  leave((uint32_t)main());
}

/* Of the errors a core can meet all end the run. */
__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
  stack_top, (const void *)reset, (const void *)fail, (const void *)fail, (const void *)fail, (const void *)fail, (const void *)fail};

static void say(char letter)
{
  host(WRITE_LETTER, &letter);
}

static void say_text(const char *text, int width)
{
  for (; *text != '\0'; ++text, --width) say(*text);
  for (; width > 0; --width) say(' ');
}

/* 1.23e-09 */
static void say_number(double value)
{
  int exponent = 0, digits;
  if (!(value >= 0.0 && value < HUGE_VAL)) {
    say_text("nan", 0);
    return;
  }
  for (; value >= 9.995; ++exponent) value /= 10.0;
  for (; value > 0.0 && value < 0.9995; --exponent) value *= 10.0;
  digits = (int)(value*100.0 + 0.5);
  say((char)('0' + digits/100));
  say('.');
  say((char)('0' + digits/10%10));
  say((char)('0' + digits%10));
  say('e');
  say(exponent < 0 ? '-' : '+');
  if (exponent < 0) exponent = -exponent;
  say((char)('0' + exponent/10));
  say((char)('0' + exponent%10));
}

/* What the checks print: %-24s, %.2e and %d of fewer than a hundred. */
int printf(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  for (; *format != '\0'; ++format) {
    if (*format != '%') {
      say(*format);
      continue;
    }
    while (*format != 's' && *format != 'e' && *format != 'd') ++format;
    if (*format == 's') say_text(va_arg(list, const char *), 24);
    if (*format == 'e') say_number(va_arg(list, double));
    if (*format == 'd') {
      const int value = va_arg(list, int);
      say((char)('0' + value/10));
      say((char)('0' + value%10));
    }
  }
  va_end(list);
  return 0;
}
