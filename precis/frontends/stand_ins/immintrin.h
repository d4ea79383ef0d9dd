/* The vector functions of x86 that programs use most, declared. See x86intrin.h. */
#ifndef _PRECIS_IMMINTRIN_H
#define _PRECIS_IMMINTRIN_H

typedef long long __m64 __attribute__((__vector_size__(8), __aligned__(8)));
typedef float __m128 __attribute__((__vector_size__(16), __aligned__(16)));
typedef double __m128d __attribute__((__vector_size__(16), __aligned__(16)));
typedef long long __m128i __attribute__((__vector_size__(16), __aligned__(16)));
typedef float __m256 __attribute__((__vector_size__(32), __aligned__(32)));
typedef double __m256d __attribute__((__vector_size__(32), __aligned__(32)));
typedef long long __m256i __attribute__((__vector_size__(32), __aligned__(32)));

#define __PRECIS_TWO(name) \
    __m128i _mm_##name(__m128i, __m128i); \
    __m256i _mm256_##name(__m256i, __m256i);
__PRECIS_TWO(add_epi8) __PRECIS_TWO(add_epi16) __PRECIS_TWO(add_epi32) __PRECIS_TWO(add_epi64)
__PRECIS_TWO(sub_epi8) __PRECIS_TWO(sub_epi16) __PRECIS_TWO(sub_epi32) __PRECIS_TWO(sub_epi64)
__PRECIS_TWO(cmpeq_epi8) __PRECIS_TWO(cmpeq_epi16) __PRECIS_TWO(cmpeq_epi32)
__PRECIS_TWO(cmpgt_epi8) __PRECIS_TWO(cmpgt_epi16) __PRECIS_TWO(cmpgt_epi32)
__PRECIS_TWO(max_epu8) __PRECIS_TWO(min_epu8) __PRECIS_TWO(max_epi16) __PRECIS_TWO(min_epi16)
__PRECIS_TWO(mul_epu32) __PRECIS_TWO(mullo_epi16) __PRECIS_TWO(mullo_epi32)
__PRECIS_TWO(unpacklo_epi8) __PRECIS_TWO(unpackhi_epi8) __PRECIS_TWO(unpacklo_epi16)
__PRECIS_TWO(unpackhi_epi16) __PRECIS_TWO(unpacklo_epi32) __PRECIS_TWO(unpackhi_epi32)
__PRECIS_TWO(unpacklo_epi64) __PRECIS_TWO(unpackhi_epi64)
__PRECIS_TWO(packs_epi16) __PRECIS_TWO(packus_epi16) __PRECIS_TWO(packs_epi32)
__PRECIS_TWO(sad_epu8) __PRECIS_TWO(shuffle_epi8) __PRECIS_TWO(avg_epu8) __PRECIS_TWO(madd_epi16)
__PRECIS_TWO(adds_epu8) __PRECIS_TWO(subs_epu8)
#undef __PRECIS_TWO

#define __PRECIS_BY_NUMBER(name) \
    __m128i _mm_##name(__m128i, int); \
    __m256i _mm256_##name(__m256i, int);
__PRECIS_BY_NUMBER(slli_epi16) __PRECIS_BY_NUMBER(slli_epi32) __PRECIS_BY_NUMBER(slli_epi64)
__PRECIS_BY_NUMBER(srli_epi16) __PRECIS_BY_NUMBER(srli_epi32) __PRECIS_BY_NUMBER(srli_epi64)
__PRECIS_BY_NUMBER(srai_epi16) __PRECIS_BY_NUMBER(srai_epi32)
__PRECIS_BY_NUMBER(slli_si128) __PRECIS_BY_NUMBER(srli_si128) __PRECIS_BY_NUMBER(shuffle_epi32)
#undef __PRECIS_BY_NUMBER

__m128i _mm_and_si128(__m128i, __m128i);
__m128i _mm_andnot_si128(__m128i, __m128i);
__m128i _mm_or_si128(__m128i, __m128i);
__m128i _mm_xor_si128(__m128i, __m128i);
__m128i _mm_alignr_epi8(__m128i, __m128i, int);
__m128i _mm_clmulepi64_si128(__m128i, __m128i, int);
__m128i _mm_load_si128(const __m128i *);
__m128i _mm_loadu_si128(const __m128i *);
__m128i _mm_loadl_epi64(const __m128i *);
void _mm_store_si128(__m128i *, __m128i);
void _mm_storeu_si128(__m128i *, __m128i);
void _mm_storel_epi64(__m128i *, __m128i);
__m128i _mm_setzero_si128(void);
__m128i _mm_set1_epi8(char);
__m128i _mm_set1_epi16(short);
__m128i _mm_set1_epi32(int);
__m128i _mm_set1_epi64x(long long);
__m128i _mm_set_epi64x(long long, long long);
__m128i _mm_set_epi32(int, int, int, int);
__m128i _mm_setr_epi32(int, int, int, int);
__m128i _mm_set_epi8(char, char, char, char, char, char, char, char, char, char, char, char, char,
                     char, char, char);
__m128i _mm_setr_epi8(char, char, char, char, char, char, char, char, char, char, char, char, char,
                      char, char, char);
__m128i _mm_cvtsi32_si128(int);
int _mm_cvtsi128_si32(__m128i);
long long _mm_cvtsi128_si64(__m128i);
int _mm_movemask_epi8(__m128i);
int _mm_extract_epi16(__m128i, int);
int _mm_extract_epi32(__m128i, int);
int _mm_testz_si128(__m128i, __m128i);

__m256i _mm256_and_si256(__m256i, __m256i);
__m256i _mm256_andnot_si256(__m256i, __m256i);
__m256i _mm256_or_si256(__m256i, __m256i);
__m256i _mm256_xor_si256(__m256i, __m256i);
__m256i _mm256_load_si256(const __m256i *);
__m256i _mm256_loadu_si256(const __m256i *);
void _mm256_store_si256(__m256i *, __m256i);
void _mm256_storeu_si256(__m256i *, __m256i);
__m256i _mm256_setzero_si256(void);
__m256i _mm256_set1_epi8(char);
__m256i _mm256_set1_epi16(short);
__m256i _mm256_set1_epi32(int);
__m256i _mm256_set1_epi64x(long long);
int _mm256_movemask_epi8(__m256i);
int _mm256_extract_epi16(__m256i, int);
int _mm256_extract_epi32(__m256i, int);
long long _mm256_extract_epi64(__m256i, int);

void _mm_pause(void);
void _mm_lfence(void);
void _mm_sfence(void);
void _mm_mfence(void);
unsigned long long __rdtsc(void);
#endif
